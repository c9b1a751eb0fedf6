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

it('names what means nothing', () => {
  expect(readDagQuery('orders colour:red -orders')).toEqual({
    filter: { name: 'orders' },
    unknown: ['colour:red', '-orders'],
  });
});
