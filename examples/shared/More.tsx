import { useState } from 'react';
import { Problem } from './Problem.tsx';

interface MoreProps {
  label: string;
  /** Reads a further page; rejects if that fails. */
  load(): Promise<unknown>;
}

/** Reads a further page of a list. If that fails, the list stays, the error is shown, and the button tries again. */
export function More({ label, load }: MoreProps) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const read = () => {
    // the button keeps the focus while it waits, which a disabled one would lose
    if (isLoading) return;
    setLoading(true);
    setError(null);
    load()
      .catch(setError)
      .finally(() => setLoading(false));
  };
  return (
    <div className="more">
      <Problem error={error} />
      <button type="button" aria-disabled={isLoading} aria-busy={isLoading} onClick={read}>
        {isLoading ? 'Loading…' : error ? `Try again: ${label.toLowerCase()}` : label}
      </button>
    </div>
  );
}
