/** Figures of several things, each thing a row; and their total. */

export function FigureTable({ heads, rows, total }: { heads: string[]; rows: string[][]; total?: string[] }) {
  if (!rows.length) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={heads[0]}>
      <table>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" class={at ? "number" : ""}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row[0]} of={row} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Line of={total} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** Figures of one thing, each with its name. */
export function Figures({ of }: { of: [name: string, figure: string][] }) {
  return (
    <dl class="figures">
      {of.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function Line({ of: [name, ...cells] }: { of: string[] }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      {cells.map((cell, at) => (
        <td key={at} class="number">
          <bdi>{cell}</bdi>
        </td>
      ))}
    </tr>
  );
}
