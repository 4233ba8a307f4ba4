export { demoContent, demoOrganizations } from './content.ts';
export { demoAccounts } from './people.ts';
export { uuidOf } from './random.ts';
