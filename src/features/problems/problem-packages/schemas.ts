import Type from 'typebox'
import { IntegerId, ResponseObject } from '../../../http/routing/schema.ts'
import { Difficulty } from '../../shared/records/problems.ts'

/** Values that a package does not have. */
export const ImportQuery = Type.Object({
  difficulty: Type.Optional(Difficulty),
  public: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether all users see the problem; a new one is private.' }),
  ),
})

const WarningResponse = ResponseObject(
  {
    file: Type.String({ description: 'The path in the package.' }),
    line: Type.Optional(Type.Integer({ description: 'From 1.' })),
    message: Type.String(),
    problem_id: Type.Optional(IntegerId({ description: 'Another problem with the `uuid` of the package.' })),
  },
  { title: 'PackageWarning' },
)

export const ImportedResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    imported: ResponseObject(
      {
        test_cases: Type.Integer(),
        statements: Type.Integer({ description: 'Languages with a statement.' }),
        files: Type.Integer({
          description: 'All stored files, including statements, programs and validators.',
        }),
        submissions: Type.Integer({ description: 'Programs in `submissions`.' }),
        validators: Type.Integer({ description: 'Validators of inputs, answers and outputs.' }),
        categories: Type.Integer(),
      },
      { title: 'ImportedParts' },
    ),
    warnings: Type.Array(WarningResponse, {
      description:
        'Everything of the package that was not imported, or is not used, and another problem with its `uuid`.',
    }),
  },
  { title: 'ImportedPackage' },
)

export const ProblemFileResponse = ResponseObject(
  {
    name: Type.String({ description: 'Its name in the path of the route that reads it.' }),
    path: Type.String({ description: 'Its path in the package.' }),
    bytes: Type.Integer({
      description:
        'Its size in the package. The texts of statements are served with the values of constants.',
    }),
    type: Type.String({ description: 'The media type of the response with the file.' }),
  },
  { title: 'ProblemFile' },
)
