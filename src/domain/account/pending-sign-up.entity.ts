import { defineEntity, p } from '@mikro-orm/core';
import { created_at } from '../../engine/columns.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

export const PendingSignUpSchema = defineEntity({
  name: 'PendingSignUp',
  tableName: 'pending_sign_up',
  properties: {
    user_id: () => p.oneToOne(User).mapToPk().primary().owner().updateRule('no action').deleteRule('cascade'),
    name: p.string().length(200),
    /** The organization to join once the address is verified; the name below is that of one to create. */
    organization_id: () => p.manyToOne(Organization).mapToPk().strictNullable().deleteRule('set null').index(),
    organization_name: p.string().length(200).strictNullable(),
    /** Whether somebody has since signed up with another password: no link makes the account's password valid then. */
    disputed: p.boolean().default(false),
    created_at: created_at().index(),
  },
});

/** What a sign-up asked for, granted once the address is verified (note 0022). */
export class PendingSignUp extends PendingSignUpSchema.class {}
PendingSignUpSchema.setClass(PendingSignUp);
