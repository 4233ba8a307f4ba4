export { type Mailbox, MailFolder, type StoredMail } from './mail-folder.ts';
