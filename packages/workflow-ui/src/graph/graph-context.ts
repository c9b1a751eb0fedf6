import { createContext } from 'react';
import { GraphStore } from './graph-store';

/** The statuses and marks of the graph around a node. */
export const GraphContext = createContext(new GraphStore());
