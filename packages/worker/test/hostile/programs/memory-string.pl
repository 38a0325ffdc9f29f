# Doubles a string without end.
my $text = 'x' x 1024;
$text .= $text while 1;
