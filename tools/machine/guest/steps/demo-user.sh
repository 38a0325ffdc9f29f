# The first command of README.md, by an ordinary user.
. ./sessions.sh

as_user bash demo.sh
