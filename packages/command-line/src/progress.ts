import cliProgress from 'cli-progress';

/** Shows the progress of a long task on stderr, only on a terminal. */
export interface Progress {
  begin(stage: string, total: number): void;
  advance(steps: number): void;
  end(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const bar = new cliProgress.SingleBar({
    format: '{stage} {bar} {percentage}% | {value}/{total} | {eta_formatted}',
    stream,
    clearOnComplete: true,
    // an interrupted task must not leave the cursor hidden, and the bar's own signal handler would swallow Ctrl-C
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
