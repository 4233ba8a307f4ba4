export interface GenerateCounts {
  organizations: number;
  users: number;
  events: number;
  subscriptions: number;
}

/** A statement that makes the rows `$1` to `$2`, counted from 1. */
export interface Stage {
  name: keyof GenerateCounts | 'memberships';
  rows: number;
  statement: string;
}

/** The first accounts: owner, manager and member of the large organization. */
export const accountRoles = ['owner', 'manager', 'member'] as const;

/** One event has 1/n of all subscriptions, to measure a hot event. */
const hotShare = 200;

/** Events are named after a subject and a kind. */
const subjects =
  `Bread Baking, Bicycle Repair, Open Data, Urban Gardening, Film Photography, Beekeeping, Public Speaking, First Aid,
  Board Games, Screen Printing, Creative Writing, Soldering, Choir Singing, Watercolour, Chess, Climbing, Accessible Design,
  Fermentation, Woodworking, Star Gazing, Spanish Conversation, Repair Café, Local History, Improv Theatre, Street Food`.split(
    /,\s+/,
  );
const kinds =
  `Workshop, Introduction, Meetup, Open Evening, Evening Class, Talk, Masterclass, Open Studio, Tasting, Practice,
  Club Night, Course`.split(/,\s+/);

/** Syllables of names, two letters each, so that substrings of any rarity exist. */
const syllables = 'babebodadedofafigoguhahijojukakekilalelomameminanenopaperarirosasesotatetivavezo';

/**
 * Temporary functions for the other statements; each is one expression, so that PostgreSQL inlines it. `pick` returns a
 * number from 0 to n - 1 that depends only on row and salt; `row_id` returns ids like those of the service, in the
 * order of the rows (RFC 9562, version 7): two halves of 64 bits, each with its fixed bits set.
 */
export function functions(seed: number): string[] {
  const hash = (salt: number) => `hashint8extended(i, ${seed}::bigint * 1000 + ${salt} + kind)`;
  const syllable = (salt: string) =>
    `substr('${syllables}', (1 + 2 * pg_temp.pick(i, ${salt}, ${syllables.length / 2}))::int, 2)`;
  return [
    `create function pg_temp.pick(i bigint, salt int, n bigint) returns bigint language sql immutable as
      $$ select ((hashint8extended(i, ${seed}::bigint * 1000 + salt) % n) + n) % n $$`,
    `create function pg_temp.row_id(kind int, i bigint) returns uuid language sql immutable as
      $$ select encode(int8send(((1577836800000 + i) << 16) | x'7000'::bigint | (${hash(900)} & x'fff'::bigint))
        || int8send((${hash(950)} & x'0fffffffffffffff'::bigint) | x'8000000000000000'::bigint), 'hex')::uuid $$`,
    `create function pg_temp.word(i bigint, salt int) returns text language sql immutable as
      $$ select initcap(${['salt', 'salt + 1', 'salt + 2'].map(syllable).join(' || ')}) $$`,
  ];
}

export function organizationId(): string {
  return `pg_temp.row_id(${kind.organization}, 1)`;
}

const kind = { organization: 1, user: 2, membership: 3, event: 4, subscription: 5 };

/** The organization of row `i`: the first has half of everything, the others share the rest evenly. */
function organizationOf(i: string, organizations: number): string {
  if (organizations === 1) return '1';
  return `case when ${i} % 2 = 0 then 1 else 2 + (${i} / 2) % ${organizations - 1} end`;
}

/** The statements in order. Foreign keys are suspended: subscriptions are inserted and counted before their events. */
export function stages(counts: GenerateCounts, seed: number): Stage[] {
  const { organizations, users, events, subscriptions } = counts;
  const series = 'generate_series($1::bigint, $2::bigint) as i';
  const roles = accountRoles.map((role, index) => `when i = ${index + 1} then '${role}'`).join(' ');
  const userOrganization = `case when i <= ${accountRoles.length} then 1 else ${organizationOf('i', organizations)} end`;
  const created = (rows: number) =>
    `timestamptz '2020-01-01Z' + i * interval '${Math.floor(189e9 / rows)} microseconds' * 1000`;
  return [
    {
      name: 'organizations',
      rows: organizations,
      statement: `insert into organization (id, name, slug, signup, created_at)
        select pg_temp.row_id(${kind.organization}, i), pg_temp.word(i, 1) || ' ' || pg_temp.word(i, 4), 'generated-${seed}-' || i,
          case when i = 1 or pg_temp.pick(i, 7, 4) > 0 then 'open' else 'invite' end, ${created(organizations)}
        from ${series}`,
    },
    {
      name: 'users',
      rows: users,
      statement: `insert into "user" (id, email, mailbox, name, avatar_url, verified_at, created_at, updated_at)
        select pg_temp.row_id(${kind.user}, i), email, email, pg_temp.word(i, 10) || ' ' || pg_temp.word(i, 13),
          case when pg_temp.pick(i, 16, 2) = 0 then 'https://images.example/' || i || '.png' end, at, at, at
        from (select i, 'user-' || i || '@seed-${seed}.example' as email, ${created(users)} as at from ${series}) as "row"`,
    },
    {
      name: 'memberships',
      rows: users,
      statement: `insert into membership (id, organization_id, user_id, role, created_at)
        select pg_temp.row_id(${kind.membership}, i), pg_temp.row_id(${kind.organization}, ${userOrganization}),
          pg_temp.row_id(${kind.user}, i),
          case ${roles} when i % 2 = 1 and i > 3 and (i - 5) / 2 < ${organizations - 1} then 'owner'
            when pg_temp.pick(i, 20, 500) = 0 then 'manager' else 'member' end, ${created(users)}
        from ${series}`,
    },
    {
      name: 'subscriptions',
      rows: events === 0 || users === 0 ? 0 : subscriptions,
      statement: `insert into subscription (id, event_id, organization_id, user_id, status, waiting_since, answers, checked_in_at, created_at, updated_at)
        select pg_temp.row_id(${kind.subscription}, i), pg_temp.row_id(${kind.event}, event),
          pg_temp.row_id(${kind.organization}, ${organizationOf('event', organizations)}), pg_temp.row_id(${kind.user}, person), status,
          case when status = 'waitlisted' then at end,
          case when pg_temp.pick(i, 33, 5) = 0 then jsonb_build_object('diet', (array['none','vegetarian','vegan'])[1 + pg_temp.pick(i, 34, 3)]) end,
          case when status = 'accepted' and pg_temp.pick(i, 35, 2) = 0 then at + interval '1 day' end, at, at
        from (select i, ${created(subscriptions)} as at, 1 + pg_temp.pick(i, 31, ${users}) as person,
            case when i % ${hotShare} = 0 then least(2, ${events}) else 1 + pg_temp.pick(i, 30, ${events}) end as event,
            case when share < 12 then 'accepted' when share < 14 then 'pending' when share < 15 then 'declined'
              when share < 18 then 'waitlisted' else 'cancelled' end as status
          from (select i, pg_temp.pick(i, 32, 20) as share from ${series}) as "row") as "row"`,
    },
    {
      name: 'events',
      rows: events,
      statement: `insert into event (id, organization_id, name, slug, description, status, date_start, date_end, timezone, location,
          capacity, visibility, registration, accepted_count, created_at, updated_at)
        select "row".id, pg_temp.row_id(${kind.organization}, ${organizationOf('i', organizations)}), name,
          lower(regexp_replace(name, '[^A-Za-z]+', '-', 'g')) || '-' || i,
          case when pg_temp.pick(i, 54, 5) > 0 then 'About ' || lower(name) || '. Bring comfortable clothes and your questions; tools and materials are provided.' end,
          (array[0,1,1,1,1,1,1,1,2,3])[1 + pg_temp.pick(i, 55, 10)], start, start + (1 + pg_temp.pick(i, 56, 72)) * interval '1 hour',
          (array['UTC','Europe/Berlin','America/New_York','Asia/Tokyo'])[1 + pg_temp.pick(i, 57, 4)],
          case when pg_temp.pick(i, 58, 4) > 0 then pg_temp.word(i, 59) || ' Hall' end,
          case when waits then accepted.count when pg_temp.pick(i, 62, 10) > 2 then 10 + pg_temp.pick(i, 63, 491) end,
          case when pg_temp.pick(i, 64, 5) > 1 then 'public' else 'organization' end,
          (array['open','open','open','approval','closed'])[1 + pg_temp.pick(i, 65, 5)], coalesce(accepted.count, 0), at,
          at + pg_temp.pick(i, 66, 100) * interval '1 day'
        from (select i, pg_temp.row_id(${kind.event}, i) as id, ${created(events)} as at,
            pg_temp.word(i, 50) || ' ' || (${textArray(subjects)})[1 + pg_temp.pick(i, 53, ${subjects.length})]
              || ' ' || (${textArray(kinds)})[1 + pg_temp.pick(i, 67, ${kinds.length})] as name,
            timestamptz '2021-01-01Z' + pg_temp.pick(i, 68, 5258880) * interval '1 minute' as start
          from ${series}) as "row" left join pg_temp.accepted using (id)`,
    },
  ];
}

/**
 * Counts the accepted subscriptions of each event, and finds those with a waiting list, which must be full. Runs after
 * the subscriptions.
 */
export const countAccepted = [
  `create temporary table accepted on commit drop as
    select event_id as id, count(*) filter (where status = 'accepted')::int as count, bool_or(status = 'waitlisted') as waits
    from subscription group by event_id`,
  'alter table accepted add primary key (id)',
  'analyze accepted',
];

function textArray(words: readonly string[]): string {
  return `array[${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(',')}]`;
}
