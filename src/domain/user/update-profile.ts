import { z } from 'zod';
import { displayName } from '#input-values';
import { command, forOwnAccount } from '../../engine/command.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockViewer } from './lock-user.ts';

export const updateProfile = command({
  name: 'updateProfile',
  description: "Changes the viewer's name.",
  ...forOwnAccount,
  input: z.strictObject({ name: displayName.meta({ description: 'Name, 1 to 200 characters.' }) }),
  errors: [],
  run: async (tx, { name }) => {
    const { userId } = tx.viewer;
    const user = await lockViewer(tx);
    if (user.name === name) return;
    user.name = name;
    const detail = { fields: ['name'] };
    await recordAudit(tx, { action: 'profile.changed', actorId: userId, subjectId: userId, detail });
  },
});
