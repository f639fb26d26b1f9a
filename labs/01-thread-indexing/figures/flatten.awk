# The elements of an array of shape (2, 3, 4), in the order in which memory holds them.
#   awk -f flatten.awk > flatten.csv
BEGIN {
    I = 2; J = 3; K = 4
    print "# Made by flatten.awk: a row-major array of shape (" I ", " J ", " K ")."
    print "place,i,j,k"
    for (i = 0; i < I; ++i)
        for (j = 0; j < J; ++j)
            for (k = 0; k < K; ++k) printf "%d,%d,%d,%d\n", place++, i, j, k
}
