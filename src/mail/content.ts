/** The content of a mail, independent of its format. */
export interface Content {
  subject: string;
  paragraphs: string[];
  action?: { label: string; link: string };
  closing: string;
}
