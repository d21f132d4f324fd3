/** The strongly connected components of a graph, given the successors of each node (Tarjan's algorithm, without recursion). */
export function components(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const order = new Array<number>(next.length).fill(-1);
  const low = new Array<number>(next.length).fill(0);
  const inStack = new Array<boolean>(next.length).fill(false);
  const stack: number[] = [];
  const found: number[][] = [];
  let count = 0;
  const enter = (node: number, path: { node: number; child: number }[]): void => {
    order[node] = low[node] = count++;
    stack.push(node);
    inStack[node] = true;
    path.push({ node, child: 0 });
  };
  const close = (node: number): void => {
    if (low[node] !== order[node]) return;
    const members = stack.splice(stack.lastIndexOf(node));
    for (const member of members) inStack[member] = false;
    found.push(members);
  };
  for (const root of next.keys()) {
    if (order[root] !== -1) continue;
    const path: { node: number; child: number }[] = [];
    enter(root, path);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = next[top.node]?.[top.child++];
      if (to === undefined) {
        path.pop();
        close(top.node);
        const parent = path.at(-1);
        if (parent) low[parent.node] = Math.min(low[parent.node] ?? 0, low[top.node] ?? 0);
      } else if (order[to] === -1) enter(to, path);
      else if (inStack[to]) low[top.node] = Math.min(low[top.node] ?? 0, order[to] ?? 0);
    }
  }
  return found;
}
