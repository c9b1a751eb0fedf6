import { readDagQuery } from './dag-query';

it('selects by name, labels and group', () => {
  expect(readDagQuery('daily orders label:etl -label:old group:"night load"')).toEqual({
    filter: { name: 'daily orders', labels: 'etl,!old', group: 'night load' },
    unknown: [],
  });
});

it('selects DAGs without a group', () => {
  expect(readDagQuery('group:""').filter).toEqual({ group: '' });
});

it('reports terms without a meaning', () => {
  expect(readDagQuery('orders colour:red -orders')).toEqual({
    filter: { name: 'orders' },
    unknown: ['colour:red', '-orders'],
  });
});

it('selects by the status of the last run and by suspended schedules', () => {
  expect(readDagQuery('orders status:failed status:waiting -suspended')).toEqual({
    filter: { name: 'orders', status: [2, 7], suspended: false },
    unknown: [],
  });
  expect(readDagQuery('suspended').filter).toEqual({ suspended: true });
  expect(readDagQuery('-status:succeeded -status:running').filter).toEqual({ status: [0, 2, 3, 5, 6, 7, 8] });
  expect(readDagQuery('status:lost').unknown).toEqual(['status:lost']);
});
