import { Loaders, type MemberContext } from '../../src/engine/context.ts';
import type { Database } from '../../src/engine/database.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';

export interface RecordedStatement {
  text: string;
  values: unknown[];
  /** Which server may answer it. */
  server: 'primary' | 'replica';
  /** Whether connections may keep its plan. */
  kept: boolean;
}

const anyIds = {
  viewer: '0199b5a0-7c3a-7000-8000-000000000001',
  session: '0199b5a0-7c3a-7000-8000-000000000002',
  organization: '0199b5a0-7c3a-7000-8000-000000000003',
};

/** A context that records each statement in place of running it; nothing is found, and a cursor is a position as JSON. */
export function recordingContext(
  role: OrganizationRole | null,
  ids: typeof anyIds = anyIds,
): {
  ctx: MemberContext;
  recorded: RecordedStatement[];
} {
  const recorded: RecordedStatement[] = [];
  const rows: Database['rows'] = async (statement, { from, prepared } = {}) => {
    const { sql: text, parameters, name } = statement;
    const kept = name !== undefined || prepared === true;
    recorded.push({ text, values: [...parameters], server: from === 'read' ? 'replica' : 'primary', kept });
    return [];
  };
  const row: Database['row'] = async (statement, options) => (await rows(statement, options))[0];
  const db = { rows, row };
  const ctx = {
    db,
    services: { cursors: { bind: () => ({ open: (token: string) => JSON.parse(token), seal: () => '' }) } },
    viewer: { userId: ids.viewer, sessionId: ids.session },
    membership: role && { organizationId: ids.organization, role },
    now: new Date('2026-01-01T00:00:00Z'),
  } as unknown as MemberContext;
  return { ctx: Object.assign(ctx, { loaders: new Loaders() }), recorded };
}
