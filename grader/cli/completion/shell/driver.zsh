_cuda_labs() {
    local cur=${words[CURRENT]} path_='' lab='' before='' kind='' word root
    local -a offered
    for word in "${(@)words[2,CURRENT-1]}"; do
        if [ -n "$before" ]; then
            before=''
        elif [ "${word#-}" != "$word" ]; then
            [ -z "$(_cuda_labs_value "$path_ $word")" ] || before="$path_ $word"
        elif _cuda_labs_commands "$path_" | grep -q "^$word	"; then
            path_="${path_:+$path_ }$word"
        elif _cuda_labs_hands_over "$path_"; then
            kind=file
        else
            lab=${lab:-$word}
        fi
    done
    if [ -n "$before" ]; then
        kind=$(_cuda_labs_value "$before")
    elif [ "${cur#-}" != "$cur" ]; then
        kind=options
    elif [ -n "$(_cuda_labs_commands "$path_")" ]; then
        kind=commands
    elif [ -z "$lab$kind" ]; then
        kind=$(_cuda_labs_positional "$path_")
    fi
    root=$(_cuda_labs_root "${words[1]}")
    case $kind in
    commands | options)
        # NAME:DESCRIPTION, as _describe takes it.
        offered=("${(@f)$(_cuda_labs_$kind "$path_" | sed 's/:/\\:/g; s/	/:/')}")
        _describe -- "$kind" offered
        ;;
    words*) compadd -- ${=kind#words } ;;
    lab) compadd -- $(_cuda_labs_labs "$root" "$cur") ;;
    test) compadd -- $(_cuda_labs_tests "$root" "$lab") ;;
    file) _files ;;
    folder) _files -/ ;;
    esac
}
# As a file of $fpath it is a function of its own, which the first completion calls. After `source`, zsh
# has to be told.
if [ "${funcstack[1]-}" = _lab ]; then
    _cuda_labs "$@"
elif whence compdef >/dev/null; then
    compdef _cuda_labs lab
fi
