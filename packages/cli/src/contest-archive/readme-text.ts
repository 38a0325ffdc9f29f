/** The README.txt of an archive. */
export const README = `This archive contains a contest, as its staff sees it. It has personal data:
keep it safe. It has no passwords.

contest.json           the contest and its problems
standings.csv, .json   the ranks, without the freeze
standings-teams.*      the ranks of teams, in a contest with teams
participants.csv,
participants.json      the people, with their extra minutes
teams.json             the teams and their members
questions.json         the questions and their answers
announcements.json     the announcements of staff
submissions.csv        all submissions: verdict, time, memory, score, file
submissions/           their source files:
                       PROBLEM/PERSON/TIME-ID-VERDICT.EXTENSION
plagiarism/            one source file of each person, for plagiarism checkers:
                       PROBLEM/LANGUAGE/PERSON/solution.EXTENSION

CSV files are in UTF-8. A cell that begins with = + - @ has an apostrophe in
front, so that no spreadsheet takes it for a formula. Times are in UTC.

Plagiarism checkers. Of each person, problem and language, plagiarism/ has the
last accepted submission, or else the last one. Examples for problem A:

  java -jar jplag.jar -l python3 plagiarism/A/python
  dolos run -l python plagiarism/A/python.csv
  moss -l python -d plagiarism/A/python/*/*
  compare50 plagiarism/A/python/*
`
