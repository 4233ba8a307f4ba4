import { randomUUID } from 'node:crypto';
import { PostgresDatabase } from '#postgres-access';
import type { OpenDatabase } from '../../db/open.ts';
import { createOrm } from '../../db/orm.ts';
import { Access } from '../../domain/session/active-sessions.ts';
import { fillPlaces } from '../../domain/subscription/places.ts';
import { type Context, Loaders, type Services } from '../../engine/context.ts';
import { ClientWaits } from '../../kernel/request.ts';
import { Usage } from '../../kernel/usage.ts';

/** Runs an operator's command, without a user; mails, deliveries and deletions are left to the running service. */
export async function asOperator<Result>(
  { directUrl: url }: Pick<OpenDatabase, 'directUrl'>,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const orm = await createOrm({ url, poolSize: 2 });
  try {
    const db = new PostgresDatabase(orm);
    return await work({
      db,
      services,
      loaders: new Loaders(),
      tokenUserId: null,
      viewer: null,
      membership: null,
      publicScope: null,
      client: { ip: null, userAgent: null, requestId: randomUUID(), operator: true },
      usage: new Usage(),
      waits: new ClientWaits(),
      now: new Date(),
      log: { debug: ignore, info: ignore, warn: tell, error: tell },
      openDatabase: () => ({ db, end: ignore }),
    });
  } finally {
    await orm.close(true);
  }
}

function ignore(): void {}

function tell(_fields: object, message: string): void {
  console.error(message);
}

/** Operators' commands sign nothing, send nothing and have no quota. */
const services = {
  access: new Access(),
  limits: { enabled: true, keptBytes: { requireRoom: ignore, spend: ignore } },
  jobs: { nudge: ignore },
  changes: { wake: ignore },
  fillPlaces,
} as unknown as Services;
