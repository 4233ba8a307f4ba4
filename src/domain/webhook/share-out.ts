import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { type Party, partiesOf, partyKey } from '../../kernel/limits/parties.ts';
import { sealedSecrets } from './webhook-secrets.ts';

/** How many deliveries may be in flight in all processes together (reference/webhooks.md#fairness). */
export const most = { organization: 16, unknownOfOrganization: 12, webhook: 8, silentWebhook: 1 };

export interface Contender {
  id: string;
  organization_id: string;
  /** Who created the organization; null for imported ones. */
  maker_id: string | null;
  /** Whether the last attempt was delivered within a second. */
  healthy: boolean;
  /** Whether the last attempt had a response; true before the first one. */
  answering: boolean;
  /** The same, but false before the first one, so that new webhooks cannot take all places. */
  answered: boolean;
  /** How many places it has, in all processes. */
  sending: number;
  wants: boolean;
  /** How many more deliveries its host accepts now; unlimited if absent. */
  host?: { room: number } | undefined;
}

export interface FoundContender extends Omit<Contender, 'wants' | 'host'> {
  url: string;
  /** The sealed secrets that sign, newest first. */
  secrets: string[];
}

/**
 * The active ones of `webhooks`, in that order, then those with deliveries in other processes; `claimed`: this process's jobs. Other
 * processes' claims count up to `most.webhook`: some only wait.
 */
export const contendersOf = prepared(
  (at: { webhooks: readonly string[]; claimed: readonly string[] }) => sql<FoundContender>`with busy as materialized (
      select party, least(count(*), ${sql.lit(most.webhook)})::int as sending from job where lane = 'deliveries' and claimed and due_at > now()
        and id not in (select unnest(${at.claimed}::uuid[])) group by party
    )
    select w.id, w.organization_id, o.maker_id, w.url, ${sealedSecrets(sql`w.id`)} as secrets,
      w.healthy, w.answering, w.answering and coalesce(w.last_success_at, w.last_failure_at) is not null as answered, coalesce(busy.sending, 0) as sending
    from (select unnest(${at.webhooks}::uuid[]) as id union select party from busy) given
      join webhook w on w.id = given.id join organization o on o.id = w.organization_id left join busy on busy.party = w.id
    where w.status = 'active' order by array_position(${at.webhooks}::uuid[], w.id), w.id`,
);

/** How many places a process has; at most `unhealthy` of them for webhooks that are not healthy. */
export interface Free {
  all: number;
  unhealthy: number;
}

/** What a party has in flight; `silent`: at webhooks that have not answered. */
interface Count {
  sending: number;
  silent: number;
  times: number;
}

/**
 * Gives places away one at a time: to the organization that has the fewest, and in it to the webhook that has the fewest. Ties go to
 * the first in the list. Returns how many more places each webhook gets.
 */
export function shareOut(contenders: readonly Contender[], { all, unhealthy }: Free): Map<string, number> {
  const counts = new Map<string, Count>();
  const countOf = (party: Party) => {
    const key = partyKey(party);
    const count = counts.get(key) ?? { sending: 0, silent: 0, times: party.times ?? 1 };
    counts.set(key, count);
    return count;
  };
  const entrants = contenders.map((each) => {
    const payers = partiesOf({ organizationId: each.organization_id, makerId: each.maker_id }).map(countOf);
    return { ...each, given: 0, payers: payers as [organization: Count, ...Count[]] };
  });
  type Entrant = (typeof entrants)[number];
  const add = ({ payers, answered }: Entrant, places: number) => {
    for (const payer of payers) {
      payer.sending += places;
      if (!answered) payer.silent += places;
    }
  };
  for (const each of entrants) add(each, each.sending);
  const free = { all, unhealthy };
  const mayHave = ({ answering, answered, healthy, host, payers, sending }: Entrant) =>
    sending < (answering ? most.webhook : most.silentWebhook) &&
    (healthy || free.unhealthy > 0) &&
    (host?.room ?? 1) > 0 &&
    payers.every(
      (payer) =>
        payer.sending < most.organization * payer.times &&
        (answered || payer.silent < most.unknownOfOrganization * payer.times),
    );
  const precedes = (one: Entrant, other: Entrant) =>
    one.payers[0].sending - other.payers[0].sending || one.sending - other.sending;
  // a webhook that may not have another place now will not later: the free places only become fewer
  let left = entrants.filter(({ wants }) => wants);
  while (free.all > 0) {
    left = left.filter(mayHave);
    const next = left.reduce<Entrant | null>((best, each) => (best && precedes(best, each) <= 0 ? best : each), null);
    if (!next) break;
    add(next, 1);
    next.sending += 1;
    next.given += 1;
    free.all -= 1;
    if (!next.healthy) free.unhealthy -= 1;
    if (next.host) next.host.room -= 1;
  }
  return new Map(entrants.filter(({ given }) => given > 0).map(({ id, given }) => [id, given]));
}
