import cliProgress from 'cli-progress';

/** Shows how far a long task is, where a person watches: on stderr, and only on a terminal. */
export interface Progress {
  /** Begins a stage of `total` steps. */
  begin(stage: string, total: number): void;
  advance(steps: number): void;
  end(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const bar = new cliProgress.SingleBar({
    format: '{stage} {bar} {percentage}% | {value}/{total} | {eta_formatted}',
    stream,
    clearOnComplete: true,
    // an interrupted task must leave the terminal with its cursor, and the bar's own signal handler would swallow Ctrl-C
    hideCursor: false,
    gracefulExit: false,
  });
  let running = false;
  const end = () => {
    if (running) bar.stop();
    running = false;
  };
  return {
    begin: (stage, total) => {
      end();
      if (!stream.isTTY || total === 0) return;
      bar.start(total, 0, { stage: stage.padEnd(14) });
      running = true;
    },
    advance: (steps) => {
      if (running) bar.increment(steps);
    },
    end,
  };
}
