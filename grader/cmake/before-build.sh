# Answers the commands of ./lab that need no installation and no build. Sourced by it; does not return.
# launcher_test.sh holds the commands below to those of the tool.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, build: ./lab sets them

. "$root/grader/cmake/packages.sh"
. "$root/grader/cmake/toolkit.sh"

help_before_build() {
    cat <<'END'
CUDA Labs: write kernels, get a verdict within seconds.

  ./lab grade LAB     compile and test a lab
  ./lab watch LAB     grade on every save, with keys for hint and more
  ./lab next          what to do next
  ./lab hint LAB      the next hint, weakest first
  ./lab step LAB      step through a failing call, forwards and backwards
  ./lab picture LAB   draw what your kernels computed
  ./lab bench LAB     draw how fast your kernels are
  ./lab profile LAB   what limits a kernel, and what to change first
  ./lab review LAB    after full marks: the reference beside yours, and more
  ./lab list          all labs, and your points
  ./lab show LAB      one lab: its files, and your last grading
  ./lab reset LAB     start a lab's file afresh; keeps a backup

  Your own programs:  vgpu, nvcc
  This machine:       doctor, completion, book, verify
  Classes:            batch, chunk, mark, report
  Authors:            dev, test

LAB is a number (2), a name (02-vector-add), or a part of one.
Nothing is built yet. ./lab grade 00 installs and builds what is missing; then
each command has --help.
END
}

# One value of a lab.toml: toml FILE KEY.
toml() { sed -n "s/^$2 = \"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$1" | head -n 1; }

list_before_build() {
    for file in "$root"/labs/*/lab.toml; do
        folder=${file%/lab.toml}
        printf '%-22s %-32s %3s minutes\n' "${folder##*/}" "$(toml "$file" title)" "$(toml "$file" minutes)"
    done
    printf '\nNothing is graded yet. Begin:  ./lab grade 00\n'
}

doctor_before_build() {
    find_nvcc
    if [ -n "$nvcc" ]; then
        echo "ok    nvcc           $nvcc"
    else
        echo "note  nvcc           none; ./lab grade 02 puts NVIDIA's compiler into .toolchain/"
    fi
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        echo "ok    packages       all there"
    elif may_install; then
        echo "note  packages       missing: $missing"
        echo "                     ./lab grade 02 installs them."
    else
        echo "BAD   packages       missing: $missing"
        echo "                     ./lab grade 02 says the command for an administrator."
    fi
    free=$(df -Pk "$root" | awk 'NR == 2 { print int($4 / 1024) }')
    if [ "$free" -ge 700 ]; then
        echo "ok    disk           $free MB free"
    else
        echo "BAD   disk           $free MB free; 700 are needed"
    fi
    if [ -e /dev/nvidiactl ]; then
        echo "ok    GPU            there is one"
    else
        echo "note  GPU            none, and none is needed: the virtual GPU grades"
    fi
    printf '\nNothing is built yet. ./lab grade 02 does that; then ./lab doctor says more.\n'
}

# The whole course on a screen, as ./lab without a command shows it later.
home_before_build() {
    count=$(printf '%s\n' "$root"/labs/*/lab.toml | wc -l)
    cat <<END
CUDA Labs: $count labs, and nothing is graded yet.

Start with a warm-up of two minutes: a file with one mistake, which the verdict
names.

Next:  ./lab grade 00

The first time this installs what is missing and builds the grader. That takes
minutes, and shows how far it is.
All labs: ./lab list   This machine: ./lab doctor   Help: ./lab --help
END
}

case ${1-} in
'') home_before_build ;;
list) list_before_build ;;
doctor) doctor_before_build ;;
*) help_before_build ;;
esac
exit 0
