import { Initial } from './0001-initial.ts';
import { Accounts } from './0002-accounts.ts';
import { Organizations } from './0003-organizations.ts';
import { ShortNames } from './0004-short-names.ts';
import { NameCase } from './0005-name-case.ts';

/** Every migration, oldest first. A list and no folder scan: what runs is what is named here. */
export const migrations = [
  { name: '0001-initial', class: Initial },
  { name: '0002-accounts', class: Accounts },
  { name: '0003-organizations', class: Organizations },
  { name: '0004-short-names', class: ShortNames },
  { name: '0005-name-case', class: NameCase },
];
