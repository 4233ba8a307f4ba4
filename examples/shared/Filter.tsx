import type { FormEvent } from 'react';

/** What the page filters by: a part of `EventWhere`. */
export interface Where {
  name?: { contains: string };
  status?: { eq: 'ACTIVE' | 'CANCELLED' | 'ARCHIVED' };
  /** The status of the viewer's newest subscription to the event. */
  viewerSubscription?: { eq: 'ACCEPTED' };
}

export function Filter({ where, onChange }: { where: Where; onChange(where: Where): void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim();
    const status = String(form.get('status'));
    onChange({
      ...(name && { name: { contains: name } }),
      ...(status && { status: { eq: status as 'ACTIVE' } }),
      ...(form.get('attending') && { viewerSubscription: { eq: 'ACCEPTED' } }),
    });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <label>
          Name contains <input name="name" type="search" defaultValue={where.name?.contains} />
        </label>
        <label>
          Status{' '}
          <select name="status" defaultValue={where.status?.eq}>
            <option value="">any</option>
            <option value="ACTIVE">takes place</option>
            <option value="CANCELLED">cancelled</option>
            <option value="ARCHIVED">archived</option>
          </select>
        </label>
        <label>
          <input name="attending" type="checkbox" defaultChecked={!!where.viewerSubscription} /> Events that I attend
        </label>
        <button type="submit">Show</button>
      </form>
    </search>
  );
}
