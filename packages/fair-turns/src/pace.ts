/** Milliseconds that all long work may take in one turn of the event loop. */
const longestTurn = 10;

/** When long work began in this turn; null if none has. */
let began: number | null = null;
/** Long work that waits for a turn, in order. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** Long synchronous work asks before each part: `if (isTurnOver()) await nextTurn()`. */
export function isTurnOver(): boolean {
  if (began === null) {
    began = performance.now();
    schedule();
  }
  return performance.now() - began >= longestTurn;
}

/** Waits for a turn in which no other waiting work continues. */
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
