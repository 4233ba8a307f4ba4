export interface CommandAccount {
  email: string;
  password: string;
  organization: string;
}

export type ShellCommand = readonly [about: string, command: string];

/** For each kind of reader. A command may use the variables of those above it. */
export type Commands = Record<'rest' | 'graphql' | 'operator' | 'machines', ShellCommand[]>;

/** @param account null if there is no demo: the commands then read the account from the shell */
export function commandsOf(url: string, account: CommandAccount | null): Commands {
  const json = "-H 'content-type: application/json'";
  const auth = ['-H "authorization: Bearer $TOKEN"', '-H "x-organization-id: $ORGANIZATION"'];
  /** A line for each part, so that a command fits beside another. */
  const curl = (...parts: string[]) => `curl ${parts.join(' \\\n  ')}`;
  const credentials = account
    ? `'{"email":"${account.email}",\n      "password":"${account.password}"}'`
    : '"{\\"email\\":\\"$EMAIL\\",\\"password\\":\\"$PASSWORD\\"}"';
  const signIn = `TOKEN=$(${curl(`-s ${url}/auth/login`, json, `-d ${credentials} |`)}
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  const as = account
    ? `Sign in as ${account.email}`
    : 'Sign in, with your EMAIL, PASSWORD and ORGANIZATION in the shell';
  return {
    rest: [
      [`${as}; the token lasts 30 minutes:`, account ? `ORGANIZATION=${account.organization}\n${signIn}` : signIn],
      [
        'Read the next three events:',
        curl(
          ...[`-sG ${url}/events`, ...auth, '-d limit=3', '-d fields=name+date_start'],
          '-d from=$(date -u +%FT%TZ)',
        ),
      ],
    ],
    graphql: [
      [
        'Read the next three events by GraphQL:',
        curl(
          ...[`-sG ${url}/graphql`, ...auth],
          `--data-urlencode 'query={
    viewer { name }
    events(first: 3, where: {phase: {eq: UPCOMING}}) {
      nodes { name dateStart }
    }
  }'`,
        ),
      ],
      [
        'Follow changes as they happen:',
        curl(`-sN '${url}/changes?since=now'`, ...auth, "-H 'accept: text/event-stream'"),
      ],
    ],
    operator: [['Check that it is ready:', curl(`-s ${url}/readyz`)]],
    machines: [
      [
        'Create a key, instead of using somebody’s password (owners only):',
        curl(`-s ${url}/api-keys`, ...auth, json, `-d '{"name":"Ticket shop","role":"manager"}'`),
      ],
      ['Read the changes; continue from the cursor in “next”:', curl(`-s '${url}/changes?limit=5'`, ...auth)],
      [
        'Have changes sent to a webhook (owners only):',
        curl(
          ...[`-s ${url}/webhooks`, ...auth, json],
          `-d '{"url":"https://example.org/hooks",\n      "kinds":["event","subscription"]}'`,
        ),
      ],
    ],
  };
}
