-- An import looks for another problem with the package's uuid. Without the index it would read all
-- packages: 50 ms for 10,000. A hash index, because a uuid may be any text, also one that is too
-- long for a B-tree.
create index problem_packages_uuid on problem_packages using hash (lower(metadata ->> 'uuid'));
