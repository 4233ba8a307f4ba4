interface Subscriber {
  id: string;
  attendeeName: string;
  status: string;
  waitingPosition?: number | null;
}

/** Who subscribed, for managers and owners. */
export function Subscribers({ all }: { all: readonly Subscriber[] }) {
  if (all.length === 0) return <p className="quiet">Nobody has subscribed yet.</p>;
  return (
    <table>
      <caption>{all.length < 50 ? 'Subscribers' : 'The first 50 subscribers'}</caption>
      <thead>
        <tr>
          <th>Name</th>
          <th>Status</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ id, attendeeName, status, waitingPosition }) => (
          <tr key={id}>
            <td>{attendeeName}</td>
            <td>
              {status.toLowerCase()}
              {waitingPosition != null && ` (${waitingPosition})`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
