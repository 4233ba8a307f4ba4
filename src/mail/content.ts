/** The content of a mail, independent of its format. */
export interface Content {
  subject: string;
  paragraphs: string[];
  action?: Action;
  /** Blocks of lines after the paragraphs. */
  items?: { lines: string[]; action?: Action }[];
  closing: string;
}

interface Action {
  label: string;
  link: string;
}
