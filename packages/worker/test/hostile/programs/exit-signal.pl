# Ends itself by the signal that the judge uses.
$| = 1;
print "done\n";
kill 'KILL', $$;
