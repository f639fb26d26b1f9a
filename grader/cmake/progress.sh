# Runs long commands: their output goes to a log, and after 3 s stderr shows their progress. Sourced
# by set-up.sh.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root: ./lab sets it

# with_progress WHAT LOG FOLLOW COMMAND ARGS...
# FOLLOW is a function that gets each line of the output and sets $step and $steps.
# Returns the command's exit status.
with_progress() {
    progress_what=$1 progress_log=$2 progress_follow=$3
    shift 3
    progress_status=$({ { "$@" 2>&1 </dev/null; echo $? >&3; } |
        follow_progress >"$progress_log"; } 3>&1)
    return "$progress_status"
}

follow_progress() {
    begun=$(date +%s) next=$((begun + 3)) step=0 steps=0 is_shown=
    [ -t 2 ] && [ "${TERM-dumb}" != dumb ] && rewrites=yes || rewrites=
    while IFS= read -r line; do
        printf '%s\n' "$line"
        "$progress_follow" "$line"
        now=$(date +%s)
        [ "$now" -ge "$next" ] || continue
        is_shown=yes
        if [ -n "$rewrites" ]; then
            next=$((now + 1))
            printf '\r\033[Klab: %s' "$(progress_text)" >&2
        else
            next=$((now + 15))
            printf 'lab: %s\n' "$(progress_text)" >&2
        fi
    done
    if [ -n "$is_shown" ] && [ -n "$rewrites" ]; then printf '\r\033[K' >&2; fi
}

progress_text() {
    if [ "$step" -eq 0 ] || [ "$step" -ge "$steps" ]; then
        echo "$progress_what ..."
        return
    fi
    left=$(((now - begun) * (steps - step) / step))
    if [ "$left" -ge 90 ]; then
        left="about $(((left + 30) / 60)) min left"
    else
        left="about $(((left + 4) / 5 * 5)) s left"
    fi
    echo "$progress_what: $step of $steps steps, $left"
}

# ninja, told to begin its lines with "[step/steps] ".
follow_ninja() {
    case $1 in
    '['[0-9]*/[0-9]*'] '*)
        step=${1#?} steps=${1#*/}
        step=${step%%/*} steps=${steps%%]*}
        ;;
    esac
}

# apt-get: every package is fetched, unpacked and set up.
follow_apt() {
    case $1 in
    *' newly installed, '*)
        steps=${1%% newly installed,*}
        steps=$((${steps##* } * 3))
        ;;
    Get:* | 'Unpacking '* | 'Setting up '*) step=$((step + 1)) ;;
    esac
}

# pip, for the wheels of a requirements file.
follow_pip() {
    steps=$(grep -c '^nvidia-' "$root/grader/cmake/nvidia-wheels.txt")
    case $1 in
    'Collecting '*) step=$((step + 1)) ;;
    esac
}
