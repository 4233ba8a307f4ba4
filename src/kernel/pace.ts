/** Milliseconds of a turn of the event loop that all long work in it may take together. */
const longestTurn = 10;

/** When long work began in this turn; null if none has. */
let began: number | null = null;
/** Long works that wait for a turn, in order. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Whether this turn of the event loop has had enough long work, whoever's it was. Long synchronous work asks before each part:
 * `if (isTurnOver()) await nextTurn()`.
 */
export function isTurnOver(): boolean {
  if (began === null) {
    began = performance.now();
    schedule();
  }
  return performance.now() - began >= longestTurn;
}

/** Waits for a turn in which no other work that waits here continues: all at once would block the event loop together. */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(begin);
}

function begin(): void {
  isScheduled = false;
  const resume = waiting.shift();
  began = resume ? performance.now() : null;
  if (!resume) return;
  schedule();
  resume();
}
