# The command that is typed: "grade", "vgpu run".
function __cuda_labs_path
    set -l typed
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $typed $word) $__cuda_labs_paths
            set -a typed $word
        end
    end
    string join -- ' ' $typed
end
function __cuda_labs_at
    set -l path (__cuda_labs_path)
    test "$path" = "$argv[1]"
end
# The checkout that the typed command belongs to.
function __cuda_labs_root
    set -l launcher (commandline -opc)[1]
    string match -q '*/*' -- $launcher; or set launcher (command -s $launcher)
    set launcher (string replace -r '^~/' "$HOME/" -- $launcher)
    dirname (readlink -f $launcher)
end
function __cuda_labs_labs
    for folder in (__cuda_labs_root)/labs/*-*/
        basename $folder
    end
end
# Whether a word that is no option follows the command.
function __cuda_labs_has_word
    set -l path (string split -n ' ' (__cuda_labs_path))
    set -l typed (commandline -opc)
    set -l is_value no
    for word in $typed[(math 2 + (count $path))..]
        if test $is_value = yes
            set is_value no
        else if string match -q -- '-*' $word
            contains -- (string join -- ' ' $path $word) $__cuda_labs_valued; and set is_value yes
        else
            return 0
        end
    end
    return 1
end
# The functions that a lab's tests are about; --test takes a part of a name.
function __cuda_labs_tests
    set -l root (__cuda_labs_root)
    for word in (commandline -opc)[3..]
        for file in $root/labs/*/grader/grader.cpp
            string match -q -- "*$word*" (basename (dirname (dirname $file))); or continue
            sed -n 's/^TEST_CASE("\([a-z_0-9]*\): .*/\1/p' $file | sort -u | grep -vx -e picture -e bench
        end
    end
end
