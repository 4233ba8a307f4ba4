import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../engine/database.ts';
import { prepared } from '../../engine/statement.ts';
import type { LimitKey, Limits } from '../../kernel/limits/limits.ts';
import { type Made, type Party, partiesOf, partyKey } from '../../kernel/limits/parties.ts';
import { tables } from '../tables/tables.ts';

/** Mails an hour that each accepted subscription of an organization adds to its budget. */
const perAccepted = 20;
/**
 * Guest mails an hour that each day of an organization's age and each confirmed guest add to its budget. A person
 * counts once, and only after a day, so that an organizer's own addresses raise the budget slowly.
 */
const perDayOfAge = 20;
const perGuest = 10;
/** Guests beyond this number do not raise the budget. */
const countedGuests = 100_000;
/** Milliseconds until an organization over its budget is checked again: the budget may have grown. */
const recheckInterval = 60_000;

/** The budget of its organization that a mail counts for: mails to subscribers, or to guests who are not proven yet. */
export type MailBudget = 'subscribers' | 'guests';

/** The organization, its maker and the recipient whose budgets a mail counts for. */
export interface BudgetedMail {
  /** Null for mails about accounts and invitations, which have limits of their own. */
  organization_id: string | null;
  /** Who created the organization; null for imported ones. */
  maker_id: string | null;
  /** Null for mails to guests who are not proven yet. */
  recipient: string | null;
}

/** Whose budget is used up, and for how many seconds the mail has to wait. */
export interface OverBudget {
  of: 'organization' | 'recipient';
  seconds: number;
}

interface MailBudgetsOptions {
  db: Database;
  limits: Limits;
  /** The initial budgets of an organization. */
  perHour: Record<MailBudget, number>;
}

/** The budgets of the mails about events: they postpone mails but never drop one (note 0009). */
export class MailBudgets {
  readonly #options: MailBudgetsOptions;
  /** The grown budgets of organizations and their makers, by budget and party. */
  readonly #grown = new LRUCache<string, number>({ max: 10_000, ttl: recheckInterval, ttlResolution: 0 });
  /** Until when organizations are postponed, by `performance.now()`, so that their mails are not checked repeatedly. */
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
   * Counts a mail that is about to be sent. Returns null if it is within the budgets. If only the recipient's is used up,
   * the mail stays counted for the organization until {@link giveBackOrganization}.
   */
  async take(mail: BudgetedMail): Promise<OverBudget | null> {
    const { organization_id: organization, recipient } = mail;
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

  /** Undoes a count, if there was nothing to send. */
  async giveBack(mail: BudgetedMail): Promise<void> {
    const { organization_id: organization, recipient } = mail;
    await this.giveBackOrganization(mail);
    if (organization !== null && recipient !== null) {
      await this.#options.limits.giveBack(recipientKey(organization, recipient));
    }
  }

  /** Undoes a count for the organization alone. */
  async giveBackOrganization(mail: BudgetedMail): Promise<void> {
    const budget = mail.recipient === null ? 'guests' : 'subscribers';
    await this.#giveBackTo(payersOf(mail), budget);
  }

  /** Seconds until an organization may send again; 0 if it may now. */
  async waitOf(made: Made, budget: MailBudget): Promise<number> {
    const waits = await Promise.all(partiesOf(made).map((party) => this.#waitOfParty(party, budget)));
    return Math.max(...waits);
  }

  async #waitOfParty(party: Party, budget: MailBudget): Promise<number> {
    const key = keyOf(party, budget);
    if ((await this.#options.limits.waitAt(key, this.#newLimit(party, budget))) === 0) return 0;
    return await this.#options.limits.waitAt(key, await this.#limitOf(party, budget));
  }

  async #takeOfAll(parties: readonly Party[], budget: MailBudget): Promise<number> {
    for (const [index, party] of parties.entries()) {
      const seconds = await this.#takeOf(party, budget);
      if (seconds === 0) continue;
      await this.#giveBackTo(parties.slice(0, index), budget);
      return seconds;
    }
    return 0;
  }

  async #giveBackTo(parties: readonly Party[], budget: MailBudget): Promise<void> {
    for (const party of parties) await this.#options.limits.giveBack(keyOf(party, budget));
  }

  async #takeOf(party: Party, budget: MailBudget): Promise<number> {
    const { limits } = this.#options;
    const key = keyOf(party, budget);
    const known = this.#grown.get(`${budget} ${key.key}`);
    const seconds = await limits.takeUpTo(key, known ?? this.#newLimit(party, budget));
    if (seconds === 0 || known !== undefined) return seconds;
    return await limits.takeUpTo(key, await this.#limitOf(party, budget));
  }

  /** The budget of a party whose organizations are new. */
  #newLimit({ times = 1 }: Party, budget: MailBudget): number {
    return this.#options.perHour[budget] * times;
  }

  async #limitOf(party: Party, budget: MailBudget): Promise<number> {
    const { times = 1 } = party;
    const grown = await this.#options.db.row(
      grownBudgets[budget][party.kind === 'maker' ? 'maker' : 'organization'](party),
    );
    const limit = this.#newLimit(party, budget) + (grown?.mails ?? 0) * times;
    this.#grown.set(`${budget} ${partyKey(party)}`, limit);
    return limit;
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

/** How many mails an hour an organization has come to have beyond those of a new one; of a maker, the one that has most. */
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
