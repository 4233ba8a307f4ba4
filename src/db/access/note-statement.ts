import type { Span } from '../../kernel/tracing.ts';
import type { Usage } from '../../kernel/usage.ts';

/** Counts a statement of a request, and begins its span if the request is traced. */
export function noteStatement(usage: Usage, text: string): Span | null {
  usage.statements += 1;
  if (!usage.span) return null;
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  // without its values, which are parameters or may be personal
  return usage.span.child(`db ${verb}`, 'client', { 'db.system.name': 'postgresql', 'db.operation.name': verb });
}

/** Ends a span with a result, whose failure is somebody else's concern. */
export function endWith(span: Span, answered: Promise<unknown>): void {
  answered.then(
    () => span.end(),
    (error) => span.end(error),
  );
}
