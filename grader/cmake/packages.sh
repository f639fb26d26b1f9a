# What the project needs from the distribution, and how to get it. Sourced by set-up.sh.
#
# Interface
#   need_packages            installs what is missing; without the right to, says the command, exits 5
#   install_packages NAME... the same for packages named by the caller
#
# A need is met by what can be found, not by a package's name: packages unpacked into LAB_DEPS,
# other distributions and libraries built by hand count too.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, build, log: the caller sets them

# Debian's and Ubuntu's name, then what proves that it is there. What is optional is installed when
# it can be, and nobody is stopped for it.
needs='
g++                  command g++
cmake                command cmake
ninja-build          command ninja
libcli11-dev         header  CLI/CLI.hpp
nlohmann-json3-dev   header  nlohmann/json.hpp
libtomlplusplus-dev  header  toml++/toml.h
libfmt-dev           header  fmt/core.h
libzstd-dev          header  zstd.h
liblz4-dev           header  lz4.h
libseccomp-dev       header  seccomp.h
catch2               header  catch2/catch_all.hpp
bubblewrap           command bwrap optional
'

# missing_packages [required]: on one line.
missing_packages() {
    echo "$needs" | while read -r package kind what optional; do
        [ -n "$package" ] || continue
        [ -n "${1-}" ] && [ -n "$optional" ] && continue
        found=
        case $kind in
        command) command -v "$what" >/dev/null && found=yes ;;
        header)
            for prefix in "${LAB_DEPS:-/usr}" /usr /usr/local; do
                [ -f "$prefix/include/$what" ] && found=yes
            done
            ;;
        esac
        [ -n "$found" ] || printf '%s ' "$package"
    done
}

need_packages() {
    if may_install; then
        missing=$(missing_packages)
    else
        missing=$(missing_packages required)
    fi
    # shellcheck disable=SC2086  # a list of names
    [ -z "$missing" ] || install_packages $missing
}

may_install() { [ "$(id -u)" = 0 ] && [ -z "${LAB_NO_INSTALL-}" ] && command -v apt-get >/dev/null; }

install_packages() {
    may_install || ask_for_packages "$@"
    say "installing $* (once; one to three minutes) ..."
    export DEBIAN_FRONTEND=noninteractive
    plain='' backports=''
    for package in "$@"; do
        if from_backports "$package"; then backports=$package; else plain="$plain $package"; fi
    done
    logged packages.log apt-get -q -o DPkg::Lock::Timeout=300 update ||
        fault "apt-get could not update its lists of packages" "$log/packages.log"
    # shellcheck disable=SC2086  # lists of names
    if [ -n "$plain" ]; then
        logged packages.log apt_install $plain ||
            fault "apt-get could not install$plain" "$log/packages.log"
    fi
    if [ -n "$backports" ]; then
        logged backports.log install_from_backports "$backports" ||
            fault "apt-get could not install $backports from Debian's backports" "$log/backports.log"
    fi
}

apt_install() {
    apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install --no-install-recommends "$@"
}

# Catch2 3 came after Debian 12, whose own package is Catch2 2.
from_backports() { [ "$1" = catch2 ] && [ "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" = bookworm ]; }

# The line of a source list for the backports, on the mirror that this machine uses for the rest.
backports_source() {
    # shellcheck disable=SC2016  # apt-get's own placeholder
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Release: bookworm' | head -n 1)
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -f "$keyring" ] && keyring=" [signed-by=$keyring]" || keyring=
    echo "deb$keyring $mirror bookworm-backports main"
}

# With lists of its own, so that the system's sources and lists stay as they are.
install_from_backports() (
    lists=$(mktemp -d)
    trap 'rm -rf "$lists"' EXIT
    chmod 755 "$lists" # apt reads it as a user of its own
    backports_source >"$lists/backports.list"
    set -- "$@" -o "Dir::Etc::SourceList=$lists/backports.list" -o Dir::Etc::SourceParts=- \
        -o "Dir::State::Lists=$lists"
    package=$1
    shift
    apt-get -q "$@" update && apt_install "$@" "$package"
)

# Says what is missing and the command that installs it, and exits.
ask_for_packages() {
    say "this machine lacks: $*"
    if [ -n "${LAB_NO_INSTALL-}" ]; then
        say "LAB_NO_INSTALL is set, so nothing is installed. To install it yourself:"
    else
        say "Installing it takes rights that you do not have. Ask an administrator for:"
    fi
    if ! command -v apt-get >/dev/null; then
        say "    (the names are Debian's; install them under your distribution's names)"
        exit 5
    fi
    say ""
    plain='' backports=''
    for package in "$@"; do
        if from_backports "$package"; then backports=$package; else plain="$plain $package"; fi
    done
    if [ -n "$backports" ]; then
        say "    echo '$(backports_source)' | sudo tee /etc/apt/sources.list.d/backports.list"
        plain="$plain $backports/bookworm-backports"
    fi
    say "    sudo apt-get update && sudo apt-get install$plain"
    say ""
    say "Then run the same command again. Nothing is wrong with your work."
    say "Without an administrator: docs/install.md, \"Packages without rights\"."
    exit 5
}
