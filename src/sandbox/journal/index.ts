export { type DirectoryJournal, type JournalOptions, openJournal } from './directory-journal.ts';
