import { parseLabels } from './parse-labels';

it('reads labels with any values, without blanks around them', () => {
  expect(parseLabels(' gpu=a100 , nvidia.com/gpu=a=b, zone=,')).toEqual({
    labels: { gpu: 'a100', 'nvidia.com/gpu': 'a=b', zone: '' },
    wrong: undefined,
  });
});

it('reads none of an empty text', () => {
  expect(parseLabels('  ')).toEqual({ labels: {}, wrong: undefined });
});

it.each(['gpu', '=a100', 'g pu=a100'])('names what is no label: %s', (entry) => {
  expect(parseLabels(`zone=eu,${entry}`)).toEqual({ labels: { zone: 'eu' }, wrong: entry });
});
