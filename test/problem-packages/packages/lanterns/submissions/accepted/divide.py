print(-(-int(input()) // (2 * {{reach}})))
