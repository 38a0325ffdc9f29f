-- Two names or e-mails are the same if their NFKC forms are, ignoring case (D11). Text in ASCII is
-- its own NFKC form. Some characters have a long NFKC form, but an index entry has 2,700 bytes. A
-- client may send any text as an e-mail: sorting many combining characters takes quadratic time.
-- Joiners (ZWNJ, ZWJ) are allowed between letters, but most of them are invisible.
create function folded(sent text) returns text
language sql immutable parallel safe
return left(lower(case when octet_length(sent) = length(sent) then left(sent, 1000)
                       else translate(normalize(left(sent, 1000), NFKC), U&'\200C\200D', '') end), 600);

-- No account may appear between the changes and the indexes.
lock table users in share row exclusive mode;

update users
set name = concat('User ', left(gen_random_uuid()::text, 8))
where users.deleted_at is null and folded(users.name) = 'deleted user';

-- Of accounts that only the new folding makes the same, the one in the plain form stays as it is,
-- else the oldest. The random suffix cannot be reserved in advance.
update users
set name = concat(left(users.name, case when length(folded(users.name)) > 500 then 30 else 600 end),
                  '-', left(gen_random_uuid()::text, 8))
from (select same.id, row_number() over (
               partition by folded(same.name)
               order by (same.name = normalize(same.name, NFKC)) desc, same.join_date, same.id) as place
      from users as same
      where same.deleted_at is null) as ranked
where ranked.id = users.id and ranked.place > 1;

-- No mail reaches an address below .invalid (RFC 2606), and it shows the address that was there.
update users
set email = concat(left(users.email, case when length(folded(users.email)) > 500 then 30 else 600 end),
                   '.duplicate-', left(gen_random_uuid()::text, 8), '.invalid')
from (select same.id, row_number() over (
               partition by folded(same.email)
               order by (same.email = normalize(same.email, NFKC)) desc, same.join_date, same.id) as place
      from users as same
      where same.deleted_at is null) as ranked
where ranked.id = users.id and ranked.place > 1;

-- Instances of the previous release search by lower(name) and lower(email), so their indexes stay. A
-- migration of the next release drops users_name_key and users_email_key.
create unique index users_name_folded_key on users (folded(name)) where deleted_at is null;
create unique index users_email_folded_key on users (folded(email)) where deleted_at is null;

-- A reset request for an unknown e-mail writes here what one for an account writes to password_resets,
-- so both take the same time (D13). The slot is a hash of the e-mail: the table stays small.
create table unknown_resets (
  slot       integer     constraint unknown_resets_pkey primary key
                         constraint unknown_resets_slot_check check (slot between 0 and 1023),
  token_hash text        not null,
  expires_at timestamptz not null
);
