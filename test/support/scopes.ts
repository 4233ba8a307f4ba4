import type { MikroORM } from '@mikro-orm/postgresql';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { LoadMemory } from '../../src/db/access/load.ts';
import { RequestDatabase } from '../../src/db/access/request-database.ts';
import { SharedPools } from '../../src/db/access/shared-pool.ts';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { silentLog } from './log.ts';

const shares = { userShare: 100, organizationShare: 100, patience: 20_000 };

/** Makes contexts of requests within organizations, with the databases that requests have. */
export function requestsOn(orm: MikroORM): (organizationId: string | null) => Context {
  const memory = new LoadMemory({ ...shares, largeValueBytes: 32_000_000 });
  const connections = connectionsOf(orm);
  const pools = new SharedPools(connections.primary, shares);
  return (organizationId) => {
    const ctx = {
      viewer: null,
      membership: organizationId && { organizationId, role: 'owner' },
      publicScope: null,
      client: {},
      waits: new ClientWaits(),
      usage: new Usage(),
      services: { limits: { enabled: false } },
      log: silentLog,
    } as unknown as Context;
    ctx.db = new RequestDatabase(ctx, { orm, connections, pools, memory });
    return ctx;
  };
}
