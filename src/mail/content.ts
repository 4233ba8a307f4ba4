/** The content of a mail, independent of its format. */
export interface Content {
  subject: string;
  paragraphs: string[];
  action?: Action;
  /** What follows the paragraphs, each with lines that belong together. */
  items?: { lines: string[]; action?: Action }[];
  closing: string;
}

interface Action {
  label: string;
  link: string;
}
