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
    organization_id: () =>
      p
        .manyToOne(Organization)
        .mapToPk()
        .nullable()
        .deleteRule('set null')
        .index('pending_sign_up_organization_id_index'),
    organization_name: p.string().length(200).nullable(),
    /** Whether somebody has since signed up with another password: then no link makes the account's password valid. */
    disputed: p.boolean().default(false),
    created_at: created_at().index('pending_sign_up_created_at_index'),
  },
});

/** What a sign-up asked for, granted once the address is verified (note 0022). */
export class PendingSignUp extends PendingSignUpSchema.class {}
PendingSignUpSchema.setClass(PendingSignUp);
