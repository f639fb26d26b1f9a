_cuda_labs() {
    local cur=${COMP_WORDS[COMP_CWORD]} path='' lab='' before='' kind='' word i root line
    COMPREPLY=()
    # "--device=vg" comes as three words.
    local -a words=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [ "${COMP_WORDS[i]}" = '=' ] || words+=("${COMP_WORDS[i]}")
    done
    [ "$cur" != '=' ] || cur=''
    for word in "${words[@]}"; do
        if [ -n "$before" ]; then
            before=''
        elif [ "${word#-}" != "$word" ]; then
            [ -z "$(_cuda_labs_value "$path $word")" ] || before="$path $word"
        elif _cuda_labs_commands "$path" | grep -q "^$word	"; then
            path="${path:+$path }$word"
        elif _cuda_labs_hands_over "$path"; then
            kind='file'
        else
            lab=${lab:-$word}
        fi
    done
    if [ -n "$before" ]; then
        kind=$(_cuda_labs_value "$before")
    elif [ "${cur#-}" != "$cur" ]; then
        kind=options
    elif [ -n "$(_cuda_labs_commands "$path")" ]; then
        kind=commands
    elif [ -z "$lab$kind" ]; then
        kind=$(_cuda_labs_positional "$path")
    fi
    root=$(_cuda_labs_root "${COMP_WORDS[0]}")
    case $kind in
    commands) word=$(_cuda_labs_commands "$path" | cut -f1) ;;
    options) word=$(_cuda_labs_options "$path" | cut -f1) ;;
    words*) word=${kind#words } ;;
    lab) word=$(_cuda_labs_labs "$root" "$cur") ;;
    test) word=$(_cuda_labs_tests "$root" "$lab") ;;
    file | folder)
        compopt -o filenames 2>/dev/null
        [ "$kind" = file ] && kind=-f || kind=-d
        while read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$cur")
        return
        ;;
    *) return ;;
    esac
    while read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$word" -- "$cur")
}
complete -F _cuda_labs lab
