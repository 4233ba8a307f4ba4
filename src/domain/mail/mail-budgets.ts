import { LRUCache } from 'lru-cache';
import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import type { LimitKey, Limits } from '../../kernel/limits/limits.ts';

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

/** The organization and the recipient whose budgets a mail counts for. */
export interface BudgetedMail {
  /** Null for mails about accounts and invitations, which have limits of their own. */
  organization_id: string | null;
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

interface Grown {
  limit: number;
  /** By `performance.now()`. */
  at: number;
}

/** The budgets of the mails about events: they postpone mails but never drop one (note 0054). */
export class MailBudgets {
  readonly #options: MailBudgetsOptions;
  /** The grown budgets of organizations, by budget and organization. */
  readonly #grown = new LRUCache<string, Grown>({ max: 10_000 });
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
    const seconds = await this.#takeOf(organization, budget);
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
  async giveBackOrganization({ organization_id: organization, recipient }: BudgetedMail): Promise<void> {
    if (organization === null) return;
    await this.#options.limits.giveBack(keyOf(organization, recipient === null ? 'guests' : 'subscribers'));
  }

  /** Seconds until an organization may send again; 0 if it may now. */
  async waitOf(organization: string, budget: MailBudget): Promise<number> {
    const key = keyOf(organization, budget);
    if ((await this.#options.limits.waitAt(key, this.#options.perHour[budget])) === 0) return 0;
    return await this.#options.limits.waitAt(key, await this.#limitOf(organization, budget));
  }

  async #takeOf(organization: string, budget: MailBudget): Promise<number> {
    const { limits, perHour } = this.#options;
    const key = keyOf(organization, budget);
    const known = this.#grown.get(`${budget} ${organization}`);
    const seconds = await limits.takeUpTo(key, known?.limit ?? perHour[budget]);
    if (seconds === 0 || (known && performance.now() - known.at < recheckInterval)) return seconds;
    return await limits.takeUpTo(key, await this.#limitOf(organization, budget));
  }

  async #limitOf(organization: string, budget: MailBudget): Promise<number> {
    const grown = await this.#options.db.row<{ mails: number }>(
      budget === 'guests' ? guestsSql(organization) : acceptedSql(organization),
    );
    const limit = this.#options.perHour[budget] + (grown?.mails ?? 0);
    this.#grown.set(`${budget} ${organization}`, { limit, at: performance.now() });
    return limit;
  }
}

const acceptedSql = (
  organization: string,
) => sql`select (${perAccepted} * coalesce(sum(accepted_count), 0))::float8 as mails
  from event where organization_id = ${organization}::uuid`;

const guestsSql = (
  organization: string,
) => sql`select (${perDayOfAge} * floor(extract(epoch from now() - o.created_at) / 86400)
    + ${perGuest} * (select count(*) from (
      select distinct s.user_id from event e join subscription s on s.event_id = e.id
      where e.organization_id = o.id and s.mailbox_proven and s.created_at < now() - interval '1 day'
      limit ${countedGuests}
    ) guests))::float8 as mails
  from organization o where o.id = ${organization}::uuid`;

function keyOf(organization: string, budget: MailBudget): LimitKey {
  return { rule: budget === 'guests' ? 'guest_mails' : 'event_mails', key: organization };
}

function recipientKey(organization: string, recipient: string): LimitKey {
  return { rule: 'recipient_mails', key: `${organization} ${recipient}` };
}
