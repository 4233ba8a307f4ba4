export { longestPassword, namesAddress, ownAddress, passwordFault, shortestPassword } from './password-fault.ts';
export { hashCost, hashPassword, needsRehash, verifyPassword } from './password-hash.ts';
