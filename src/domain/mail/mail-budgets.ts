import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import type { ClaimedJob } from '../../engine/jobs/job-queue.ts';
import type { LimitKey, Limits } from '../../kernel/limits/limits.ts';
import { type Made, type Party, partiesOf, partyKey } from '../../kernel/limits/parties.ts';
import { tables } from '../tables/tables.ts';

/** Mails per hour that each accepted subscription of an organization adds to its budget. */
const perAccepted = 20;
/**
 * Guest mails per hour that each day of an organization's age and each confirmed guest add to its budget. A person counts once, after
 * a day, so that an organizer's own addresses raise the budget slowly.
 */
const perDayOfAge = 20;
const perGuest = 10;
const countedGuests = 100_000;
/** Milliseconds until an organization over its budget is checked again: its budget may have grown. */
const recheckInterval = 60_000;

/** `guests`: for mails to unproven guests. */
export type MailBudget = 'subscribers' | 'guests';

/**
 * A mail to the recipient `key`, null if that is an unproven guest. Without an organization it is about an account or an invitation,
 * which have limits of their own.
 */
type BudgetedMail = Pick<ClaimedJob, 'organization_id' | 'maker_id' | 'key'>;

export interface OverBudget {
  of: 'organization' | 'recipient';
  /** Until the mail may be sent. */
  seconds: number;
}

interface MailBudgetsOptions {
  db: Database;
  limits: Limits;
  perHour: Record<MailBudget, number>;
}

/** The budgets of mails about events, which postpone mails but never drop one (note 0009). */
export class MailBudgets {
  readonly #options: MailBudgetsOptions;
  readonly #grown = new LRUCache<string, number>({ max: 10_000, ttl: recheckInterval, ttlResolution: 0 });
  /** Until when organizations are postponed, by `performance.now()`, so that each of their mails need not be checked. */
  readonly #putOff = { subscribers: new Map<string, number>(), guests: new Map<string, number>() };

  constructor(options: MailBudgetsOptions) {
    this.#options = options;
  }

  /** The organizations whose mails are postponed. */
  putOff(budget: MailBudget): string[] {
    const waiting = this.#putOff[budget];
    for (const [id, until] of waiting) if (until <= performance.now()) waiting.delete(id);
    return [...waiting.keys()];
  }

  /**
   * Counts a mail before it is sent; null if it is within the budgets. If only the recipient's is used up, the mail stays counted for
   * the organization until it is given back.
   */
  async take(mail: BudgetedMail): Promise<OverBudget | null> {
    const { organization_id: organization, key: recipient } = mail;
    if (organization === null || !this.#options.limits.enabled) return null;
    const budget = recipient === null ? 'guests' : 'subscribers';
    const seconds = await this.#takeOfAll(payersOf(mail), budget);
    if (seconds > 0) {
      this.#putOff[budget].set(organization, performance.now() + Math.min(seconds * 1000, recheckInterval));
      return { of: 'organization', seconds };
    }
    if (recipient === null) return null;
    const wait = await this.#options.limits.takeOrWait(recipientKey(organization, recipient));
    return wait === 0 ? null : { of: 'recipient', seconds: wait };
  }

  /** Gives back what a mail has taken; from the recipient's budget only if that was not used up. */
  async giveBack(mail: BudgetedMail, over?: OverBudget['of']): Promise<void> {
    const { organization_id: organization, key: recipient } = mail;
    await this.#giveBackTo(payersOf(mail), recipient === null ? 'guests' : 'subscribers');
    if (over === 'recipient' || organization === null || recipient === null) return;
    await this.#options.limits.giveBack(recipientKey(organization, recipient));
  }

  /** Seconds until an organization may send; 0 if it may now. */
  async waitOf(made: Made, budget: MailBudget): Promise<number> {
    const { limits } = this.#options;
    const waits = partiesOf(made).map((party) => this.#ask(party, budget, (key, limit) => limits.waitAt(key, limit)));
    return Math.max(...(await Promise.all(waits)));
  }

  async #takeOfAll(parties: readonly Party[], budget: MailBudget): Promise<number> {
    const { limits } = this.#options;
    for (const [index, party] of parties.entries()) {
      const seconds = await this.#ask(party, budget, (key, limit) => limits.takeUpTo(key, limit));
      if (seconds === 0) continue;
      await this.#giveBackTo(parties.slice(0, index), budget);
      return seconds;
    }
    return 0;
  }

  async #giveBackTo(parties: readonly Party[], budget: MailBudget): Promise<void> {
    for (const party of parties) await this.#options.limits.giveBack(keyOf(party, budget));
  }

  /** Asks for the seconds to wait; for the grown budget only if that of a new organization is used up, since it takes a query. */
  async #ask(
    party: Party,
    budget: MailBudget,
    ask: (key: LimitKey, limit: number) => Promise<number>,
  ): Promise<number> {
    const key = keyOf(party, budget);
    const { times = 1 } = party;
    const initial = this.#options.perHour[budget] * times;
    const known = this.#grown.get(`${budget} ${key.key}`);
    const seconds = await ask(key, known ?? initial);
    if (seconds === 0 || known !== undefined) return seconds;
    const grownBudget = grownBudgets[budget][party.kind === 'maker' ? 'maker' : 'organization'];
    const grown = await this.#options.db.row(grownBudget(party));
    const limit = initial + (grown?.mails ?? 0) * times;
    this.#grown.set(`${budget} ${key.key}`, limit);
    return await ask(key, limit);
  }
}

const subscriberMails = sql<number>`${sql.lit(perAccepted)} * (select coalesce(sum(e.accepted_count), 0) from event e where e.organization_id = o.id)`;

const guestMails = sql<number>`${sql.lit(perDayOfAge)} * floor(extract(epoch from now() - o.created_at) / 86400)
    + ${sql.lit(perGuest)} * (select count(*) from (
      select distinct s.user_id from event e join subscription s on s.event_id = e.id
      where e.organization_id = o.id and s.mailbox_proven and s.created_at < now() - interval '1 day'
      limit ${sql.lit(countedGuests)}
    ) guests)`;

const grownBy = (mails: RawBuilder<number>, column: 'o.id' | 'o.maker_id') =>
  prepared((at: { id: string }) =>
    tables
      .selectFrom('organization as o')
      .select(sql<number | null>`max(${mails})::float8`.as('mails'))
      .where(column, '=', at.id),
  );

/** How many mails per hour the budget of an organization has grown by; for a maker, the most of their organizations. */
const grownBudgets = {
  subscribers: { organization: grownBy(subscriberMails, 'o.id'), maker: grownBy(subscriberMails, 'o.maker_id') },
  guests: { organization: grownBy(guestMails, 'o.id'), maker: grownBy(guestMails, 'o.maker_id') },
};

function payersOf({ organization_id: organizationId, maker_id: makerId }: BudgetedMail): Party[] {
  return organizationId === null ? [] : partiesOf({ organizationId, makerId });
}

function keyOf(party: Party, budget: MailBudget): LimitKey {
  return { rule: budget === 'guests' ? 'guest_mails' : 'event_mails', key: partyKey(party) };
}

function recipientKey(organization: string, recipient: string): LimitKey {
  return { rule: 'recipient_mails', key: `${organization} ${recipient}` };
}
