# The distribution's packages: names them, and installs missing ones. Sourced by set-up.sh. It
# searches for a file, not for a package's name, so packages unpacked into LAB_DEPS, other
# distributions and libraries built by hand count, too.
# shellcheck shell=sh
# shellcheck disable=SC2154  # nvcc, log, programs: set-up.sh and ./lab set them

# Debian's and Ubuntu's name, then a file that proves that it is there. The wanted packages are
# optional: without bubblewrap, submissions are isolated less strictly; without gnuplot, plots are
# text. Those of a class are for the commands that grade one, and for the tests; one that is both is
# installed for them where that is possible.
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
libmd-dev            header  sha256.h
zlib1g-dev           header  zlib.h
catch2               header  catch2/catch_all.hpp
libsqlitecpp-dev     header  SQLiteCpp/SQLiteCpp.h class
libarchive-dev       header  archive.h class
libyaml-cpp-dev      header  yaml-cpp/yaml.h class
similarity-tester    command sim_c++ class wanted
bubblewrap           command bwrap wanted
gnuplot-nox          command gnuplot wanted
'

# missing_packages [wanted]: the needed ones, and those wanted too; on one line. With $for_class
# also those of a class.
missing_packages() {
    echo "$needs" | while read -r package kind what if_asked; do
        [ -n "$package" ] || continue
        # Programs that are built already need nvcc's host compiler, and no more. (gnuplot would be 54
        # packages before the first verdict.)
        if [ -n "${programs-}" ]; then
            case $package in g++ | bubblewrap) ;; *) continue ;; esac
        fi
        case $if_asked in
        wanted) [ -n "${1-}" ] || continue ;;
        class) [ -n "${for_class-}" ] || continue ;;
        'class wanted') [ -n "${1-}" ] && [ -n "${for_class-}" ] || continue ;;
        esac
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
    # NVIDIA's compiler comes through pip (toolkit.sh).
    [ -n "$nvcc" ] || python3 -m pip --version >/dev/null 2>&1 || printf 'python3-pip '
}

# Installs missing packages; without the right to, prints the command and exits 5.
need_packages() {
    if [ -n "$(missing_packages)" ]; then
        # shellcheck disable=SC2046  # a list of names
        install_packages $(missing_packages wanted)
    elif may_install && [ -n "$(missing_packages wanted)" ]; then
        # shellcheck disable=SC2046
        (install_packages $(missing_packages wanted)) || say "going on without $(missing_packages wanted)"
    fi
}

may_install() { [ "$(id -u)" = 0 ] && [ -z "${LAB_NO_INSTALL-}" ] && command -v apt-get >/dev/null; }

install_packages() {
    may_install || ask_for_packages "$@"
    say "installing $* (once; one to three minutes) ..."
    export DEBIAN_FRONTEND=noninteractive
    finish_interrupted_install
    plain='' backports=''
    for package in "$@"; do
        if from_backports "$package"; then backports=$package; else plain="$plain $package"; fi
    done
    # Without a network apt-get update warns and goes on.
    if ! logged packages.log apt_get update || no_network "$log/packages.log"; then
        fault "apt-get could not update its lists of packages" "$log/packages.log"
    fi
    # shellcheck disable=SC2086  # lists of names
    if [ -n "$plain" ]; then
        with_progress "Installing packages" "$log/packages.log" follow_apt apt_get install $plain ||
            fault "apt-get could not install$plain" "$log/packages.log"
    fi
    if [ -n "$backports" ]; then
        with_progress "Installing $backports" "$log/backports.log" follow_apt \
            apt_apart "$(backports_source)" install "$backports" ||
            fault "apt-get could not install $backports from Debian's backports" "$log/backports.log"
    fi
}

# A set-up that was interrupted (Ctrl-C, a machine that went off) leaves packages half installed, and
# apt-get refuses everything until that is finished.
finish_interrupted_install() {
    [ -n "$(dpkg --audit 2>/dev/null)$(ls /var/lib/dpkg/updates 2>/dev/null)" ] || return 0
    say "finishing an installation that was interrupted ..."
    logged dpkg.log dpkg --force-confdef --configure -a || :
    logged dpkg.log apt_get --fix-broken install ||
        fault "an interrupted installation could not be finished; sudo dpkg --configure -a may say more" \
            "$log/dpkg.log"
}

apt_get() {
    apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o APT::Install-Recommends=0 \
        -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@"
}

# Catch2 3 came after Debian 12, whose own package is Catch2 2.
from_backports() { [ "$1" = catch2 ] && [ "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" = bookworm ]; }

# The line of a source list for the backports, on the mirror that this machine uses for the rest.
backports_source() {
    # shellcheck disable=SC2016  # apt-get's own variable
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Release: bookworm' | head -n 1)
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -f "$keyring" ] && keyring=" [signed-by=$keyring]" || keyring=
    echo "deb$keyring $mirror bookworm-backports main"
}

# apt_apart SOURCE COMMAND ARGS...: apt-get with its own lists, so that the system's lists and
# sources do not change and only `install` needs rights. SOURCE "": from the system's sources.
apt_apart() (
    apart=$(mktemp -d)
    trap 'rm -rf "$apart"' EXIT
    source=$1 command=$2
    shift 2
    mkdir "$apart/cache" "$apart/lists" # apt-get removes whatever else it finds in these
    {
        echo 'APT::Sandbox::User "root";' # its own user could not write here
        echo "Dir::State::Lists \"$apart/lists\";"
        echo "Dir::Cache \"$apart/cache\";"
    } >"$apart/apt.conf"
    if [ -n "$source" ]; then
        echo "$source" >"$apart/one.list"
        echo "Dir::Etc { SourceList \"$apart/one.list\"; SourceParts \"-\"; };" >>"$apart/apt.conf"
    fi
    export APT_CONFIG="$apart/apt.conf"
    apt_get update && apt_get "$command" "$@"
)

# Prints the missing packages and the command that installs them, and exits.
ask_for_packages() {
    say "this machine lacks: $*"
    if [ -n "${LAB_NO_INSTALL-}" ]; then
        say "LAB_NO_INSTALL is set, so ./lab installs nothing. The command would be:"
    else
        say "Installing it takes rights that you do not have. Ask an administrator to run:"
    fi
    plain='' backports=''
    for package in "$@"; do
        if from_backports "$package"; then backports=$package; else plain="$plain $package"; fi
    done
    echo >&2
    if ! command -v apt-get >/dev/null; then
        echo "    (your package manager) install$plain      # Debian's names; yours may differ" >&2
    else
        if [ -n "$backports" ]; then
            echo "    echo '$(backports_source)' | sudo tee /etc/apt/sources.list.d/backports.list" >&2
            plain="$plain $backports/bookworm-backports lib$backports-dev/bookworm-backports"
        fi
        echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$plain" >&2
    fi
    echo >&2
    [ -n "$nvcc" ] || say_nvcc_is_missing
    say "Then run the same command again. Nothing is wrong with your work."
    say "Without an administrator: docs/install.md, \"Packages without rights\"."
    exit 5
}
