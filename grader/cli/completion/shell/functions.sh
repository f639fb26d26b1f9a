# The checkout that the typed command belongs to.
_cuda_labs_root() {
    local launcher=$1
    # shellcheck disable=SC2088  # a ~ as it was typed
    case $launcher in
    '~/'*) launcher=$HOME/${launcher#\~/} ;;
    */*) ;;
    *) launcher=$(command -v "$launcher") ;;
    esac
    launcher=$(readlink -f "$launcher" 2>/dev/null)
    echo "${launcher%/*}"
}
# _cuda_labs_labs ROOT TYPED: names of labs; without their numbers, when letters are typed.
_cuda_labs_labs() {
    local folder
    for folder in "$1"/labs/[0-9][0-9]-*/; do
        [ -d "$folder" ] || continue
        folder=${folder%/}
        folder=${folder##*/}
        case $2 in
        [a-z]*) echo "${folder#??-}" ;;
        *) echo "$folder" ;;
        esac
    done
}
# _cuda_labs_tests ROOT LAB: the functions that its tests are about; --test takes a part of a name.
_cuda_labs_tests() {
    local file
    for file in "$1"/labs/*/grader/grader.cpp; do
        case ${file#"$1"/labs/} in
        *"${2:-/none}"*/grader/grader.cpp)
            sed -n 's/^TEST_CASE("\([a-z_0-9]*\): .*/\1/p' "$file" | sort -u | grep -vx -e picture -e bench
            ;;
        esac
    done
}
