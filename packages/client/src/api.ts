export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkHealthy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/create_or_login_user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOrLogInUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login_judge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInJudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_request_password_reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_reset_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readUser"];
        put: operations["updateUser"];
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblems"];
        put?: never;
        post: operations["createProblem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProblem"];
        put: operations["updateProblem"];
        post?: never;
        delete: operations["deleteProblem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProblemTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/problems/{problem_id}/toggle-visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["toggleProblemVisibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCategories"];
        put?: never;
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemCategories"];
        put?: never;
        post?: never;
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["storeVerdict"];
        trace?: never;
    };
    "/v1/submissions/{submission_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSubmissionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVerdicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user_submissions/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user_problem_submissions/{user_id}/{problem_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserProblemSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["storeRunVerdict"];
        trace?: never;
    };
    "/v1/public/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createPublicRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPublicRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bench/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createBenchRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bench/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBenchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/languages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLanguages"];
        put?: never;
        post: operations["createLanguage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/languages/{language_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteLanguage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPublicEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEvent"];
        put: operations["updateEvent"];
        post?: never;
        delete: operations["deleteEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event_details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventByTitle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerForEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listParticipants"];
        put?: never;
        post: operations["addParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventProblems"];
        put?: never;
        post: operations["addEventProblem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems/{event_problem_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventProblem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/user_problem_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTeams"];
        put?: never;
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOwnTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/{team_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["joinTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuestions"];
        put?: never;
        post: operations["askQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/questions/{question_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["answerQuestion"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications/mark-read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["markNotificationsRead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddedEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
        };
        AnonymousRunBody: {
            language_id: string;
            source_code: string;
            stdin: string;
        };
        AnswerBody: {
            answer: string;
        };
        AttemptStat: {
            user_id: string;
            problem_id: number;
            attempts: number;
            total_attempts: number;
            first_accepted_time?: string;
            minutes_to_solve?: number;
        };
        BridgeBody: {
            id: string;
            name: string;
            email: string;
            image?: string | null;
        };
        BridgeSession: {
            token: string;
            id: string;
            name: string;
            email: string;
        };
        BriefEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            problem: components["schemas"]["BriefProblem"];
        };
        BriefProblem: {
            id: number;
            title: string;
            difficulty: components["schemas"]["Difficulty"];
        };
        Category: {
            id: string;
            name: string;
        };
        CategoryBody: {
            name: string;
        };
        CreatedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
        };
        CreatedTeam: {
            message: string;
            team_id: string;
        };
        Difficulty: "VERY EASY" | "EASY" | "MEDIUM" | "HARD" | "VERY HARD";
        Error: {
            error: string;
            code: components["schemas"]["ErrorCode"];
            message: string;
            request_id?: string;
        };
        ErrorCode: "400" | "USER_EXISTS" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "MALFORMED_TOKEN" | "TOKEN_EXPIRED" | "ACCOUNT_DELETED" | "INVALID_RESET_TOKEN" | "FORBIDDEN" | "LAST_ADMIN" | "EVENT_NOT_ACTIVE" | "EVENT_NOT_STARTED" | "REGISTRATION_DISABLED" | "NOT_FOUND" | "NOT_A_TEAM_EVENT" | "ALREADY_REGISTERED" | "ALREADY_IN_EVENT" | "ALREADY_ON_TEAM" | "TEAM_NAME_TAKEN" | "CATEGORY_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL" | "UNAVAILABLE";
        Event: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
        };
        EventBody: {
            title: string;
            description?: string;
            start_time: string;
            end_time: string;
            teams?: boolean;
            user_id?: string;
            problems?: {
                problem_id: number;
                accept_timeout?: number;
                execution_timeout?: number;
                memory_limit?: number;
                hidden?: boolean;
            }[];
            languages?: (number | string)[];
        };
        EventProblem: components["schemas"]["ShownEventProblem"] | components["schemas"]["BriefEventProblem"];
        EventProblemBody: {
            problem_id: number;
        };
        EventSubmission: components["schemas"]["ListedSubmission"] | components["schemas"]["RedactedSubmission"];
        EventUpdateBody: {
            title?: string;
            description?: string;
            start_time?: string;
            end_time?: string;
            teams?: boolean;
        };
        FullEvent: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            problems: components["schemas"]["FullEventProblem"][];
        };
        FullEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            problem: components["schemas"]["Problem"];
        };
        JoinBody: {
            user_id?: string | null;
        };
        JudgeSession: {
            token: string;
        };
        Language: {
            id: string;
            name: string;
            extension: string;
            version: string;
        };
        LanguageBody: {
            name: string;
            extension: string;
            version: string;
        };
        ListedEvent: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            participants: components["schemas"]["User"][];
        };
        ListedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
        };
        ListedTeam: {
            id: string;
            event_id: number;
            name: string;
        };
        LoginBody: {
            email: string;
            password: string;
        };
        Message: {
            message: string;
        };
        Notification: {
            id: string;
            user_id: string;
            event_id: number;
            question_id: string;
            notification_type: "question" | "answer";
            is_read: boolean;
            created_at: string;
            updated_at: string;
            question: components["schemas"]["Question"];
        };
        ParticipantBody: {
            user_id: string;
        };
        PasswordReset: {
            status: "ok";
        };
        PasswordResetRequested: {
            status: "ok";
            token?: string;
        };
        Problem: {
            id: number;
            user_id: string;
            title: string;
            identifier: string;
            prompt: string;
            source: string;
            difficulty: components["schemas"]["Difficulty"];
            public: boolean;
            upload_date: string;
            timeout?: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            categories: components["schemas"]["Category"][];
            test_cases: components["schemas"]["TestCase"][];
        };
        ProblemBody: {
            title: string;
            identifier: string;
            prompt: string;
            difficulty: components["schemas"]["Difficulty"];
            test_cases: {
                id?: string;
                input: string;
                expected_output: string;
                hidden?: boolean;
            }[];
            source?: string;
            public?: boolean;
            timeout?: number;
            accept_timeout?: number;
            execution_timeout?: number;
            memory_limit?: number;
            user_id?: string;
            category_ids?: string[];
        };
        ProblemStats: {
            problem_id: number;
            accepted_count: number;
            attempted_count: number;
        };
        ProblemStatus: {
            problem_id: number;
            status: string;
            submit_time: string;
        };
        ProblemSummary: {
            id: number;
            user_id: string;
            title: string;
            identifier: string;
            prompt: string;
            source: string;
            difficulty: components["schemas"]["Difficulty"];
            public: boolean;
            upload_date: string;
            timeout?: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            categories: components["schemas"]["Category"][];
        };
        ProblemTests: {
            problem_id: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            test_cases: components["schemas"]["TestCase"][];
        };
        ProblemUpdateBody: {
            title?: string;
            identifier?: string;
            prompt?: string;
            source?: string;
            difficulty?: components["schemas"]["Difficulty"];
            public?: boolean;
            timeout?: number;
            accept_timeout?: number;
            execution_timeout?: number;
            memory_limit?: number;
            user_id?: string;
            category_ids?: string[];
            test_cases?: {
                id?: string;
                input: string;
                expected_output: string;
                hidden?: boolean;
            }[];
        };
        PublicEvent: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            participants: components["schemas"]["User"][];
            problems: {
                id: number;
            }[];
        };
        Question: {
            id: string;
            event_id: number;
            user_id: string;
            problem_id?: number;
            question: string;
            is_answered: boolean;
            created_at: string;
            updated_at: string;
            answer?: string;
            answered_at?: string;
            answered_by?: string;
            user: components["schemas"]["User"];
            problem?: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
            };
            answerer?: components["schemas"]["User"];
        };
        QuestionBody: {
            question: string;
            problem_id?: number | null;
        };
        RedactedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
        };
        RegistrationBody: {
            name: string;
            email: string;
            password: string;
            image?: string | null;
        };
        RejudgeBody: {
            submission_id?: string | null;
            problem_id?: number | null;
            event_id?: number | null;
            language_id?: string | null;
            user_id?: string | null;
        };
        Rejudged: {
            count: number;
        };
        ResetBody: {
            email: string;
            token?: string;
            new_password: string;
        };
        ResetRequestBody: {
            email: string;
        };
        Run: {
            status: string;
            finished: boolean;
            stdout?: string;
            stderr?: string;
            runtime?: number;
        };
        RunBody: {
            user_id?: string | null;
            language_id: string;
            source_code: string;
            stdin: string;
        };
        RunForJudges: {
            status: string;
            finished: boolean;
            stdout?: string;
            stderr?: string;
            runtime?: number;
            id: string;
            language_id: string;
            source_code: string;
            stdin: string;
            judging: number;
            attempt: number;
        };
        RunVerdictBody: {
            status: "ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR";
            stdout?: string | null;
            stderr?: string | null;
            runtime?: number | null;
            judging?: number | null;
            attempt?: number | null;
        };
        Service: {
            status: string;
            service: string;
            health: string;
            api: string;
        };
        ServiceStatus: {
            status: string;
        };
        Session: {
            token: string;
            id: string;
            name: string;
            email: string;
            image: string;
        };
        ShownEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            problem: components["schemas"]["ProblemSummary"];
        };
        Submission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
            test_case_results?: components["schemas"]["TestCaseResult"][];
            judging?: number;
            attempt?: number;
        };
        SubmissionBody: {
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            event_id?: number | null;
        };
        SubmissionStatus: {
            id: string;
            status: string;
        };
        Team: {
            id: string;
            event_id: number;
            name: string;
            members: components["schemas"]["User"][];
        };
        TeamBody: {
            name: string;
        };
        TestCase: {
            id: string;
            problem_id: number;
            input: string;
            expected_output: string;
            hidden: boolean;
        };
        TestCaseResult: {
            id: string;
            submission_id: string;
            test_case_id: string;
            stdout: string;
            stderr: string;
            passed: boolean;
        };
        UnreadCount: {
            count: number;
        };
        User: {
            id: string;
            name: string;
            email: string;
            image: string;
            is_admin: boolean;
            join_date: string;
        };
        UserBody: {
            name: string;
            email: string;
            image?: string | null;
            is_admin?: boolean;
            password?: string;
        };
        UserUpdateBody: {
            name?: string;
            image?: string | null;
            is_admin?: boolean;
        };
        Verdict: {
            judging: number;
            attempt: number;
            status: string;
            time_elapsed: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            test_case_results: components["schemas"]["TestCaseResult"][];
            judged_at?: string;
        };
        VerdictBody: {
            status: "ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR";
            stdout?: string | null;
            stderr?: string | null;
            time_elapsed?: number | null;
            failed_test_case_id?: string | null;
            judging?: number | null;
            attempt?: number | null;
            test_case_results?: {
                test_case_id: string;
                stdout?: string | null;
                stderr?: string | null;
                passed: boolean;
            }[] | null;
        };
        WrittenProblem: {
            id: number;
            event_problem_id: number;
        };
    };
    responses: {
        400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "400";
                };
            };
        };
        "400-USER_EXISTS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "400" | "USER_EXISTS";
                };
            };
        };
        "401-INVALID_CREDENTIALS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "INVALID_CREDENTIALS";
                };
            };
        };
        "401-INVALID_RESET_TOKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "INVALID_RESET_TOKEN";
                };
            };
        };
        "401-UNAUTHORIZED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "UNAUTHORIZED";
                };
            };
        };
        "401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "UNAUTHORIZED" | "MALFORMED_TOKEN" | "TOKEN_EXPIRED" | "ACCOUNT_DELETED";
                };
            };
        };
        "403-EVENT_NOT_STARTED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "EVENT_NOT_STARTED";
                };
            };
        };
        "403-FORBIDDEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "FORBIDDEN";
                };
            };
        };
        "403-FORBIDDEN-EVENT_NOT_ACTIVE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "FORBIDDEN" | "EVENT_NOT_ACTIVE";
                };
            };
        };
        "403-FORBIDDEN-LAST_ADMIN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "FORBIDDEN" | "LAST_ADMIN";
                };
            };
        };
        "403-REGISTRATION_DISABLED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "REGISTRATION_DISABLED";
                };
            };
        };
        "404-NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "NOT_FOUND";
                };
            };
        };
        "404-NOT_FOUND-NOT_A_TEAM_EVENT": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "NOT_FOUND" | "NOT_A_TEAM_EVENT";
                };
            };
        };
        "409-ALREADY_IN_EVENT": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "ALREADY_IN_EVENT";
                };
            };
        };
        "409-ALREADY_ON_TEAM": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "ALREADY_ON_TEAM";
                };
            };
        };
        "409-ALREADY_REGISTERED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "ALREADY_REGISTERED";
                };
            };
        };
        "409-CATEGORY_EXISTS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "CATEGORY_EXISTS";
                };
            };
        };
        "409-IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "IDEMPOTENCY_KEY_REUSED";
                };
            };
        };
        "409-TEAM_NAME_TAKEN-ALREADY_ON_TEAM": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "TEAM_NAME_TAKEN" | "ALREADY_ON_TEAM";
                };
            };
        };
        "409-USER_EXISTS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "USER_EXISTS";
                };
            };
        };
        "413-PAYLOAD_TOO_LARGE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        "429-RATE_LIMIT_EXCEEDED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "RATE_LIMIT_EXCEEDED";
                };
            };
        };
        "500-INTERNAL": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "INTERNAL";
                };
            };
        };
        "503-UNAVAILABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code: "UNAVAILABLE";
                };
            };
        };
    };
    parameters: {
        "Idempotency-Key": string;
        "If-None-Match": string;
    };
    requestBodies: never;
    headers: {
        "X-Request-Id": string;
        ETag: string;
        Link: string;
        "Retry-After": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    describeService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    checkHealthy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            403: components["responses"]["403-REGISTRATION_DISABLED"];
            409: components["responses"]["409-USER_EXISTS"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-INVALID_CREDENTIALS"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createOrLogInUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BridgeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSession"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED"];
            409: components["responses"]["409-USER_EXISTS"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    logInJudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeSession"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetRequestBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetRequested"];
                };
            };
            400: components["responses"]["400"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-INVALID_RESET_TOKEN"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["400-USER_EXISTS"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdateBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-USER_EXISTS"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN-LAST_ADMIN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN-LAST_ADMIN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listProblems: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                query?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemSummary"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createProblem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProblemBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProblem"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    updateProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProblemUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProblem"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    deleteProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readProblemTests: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemTests"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    toggleProblemVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemSummary"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            409: components["responses"]["409-CATEGORY_EXISTS"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listProblemCategories: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createSubmission: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmissionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSubmission"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN-EVENT_NOT_ACTIVE"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    storeVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerdictBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readSubmissionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionStatus"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listVerdicts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listUserSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedSubmission"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listUserProblemSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                user_id: string;
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedSubmission"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    rejudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejudged"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"] | components["schemas"]["RunForJudges"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    storeRunVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunVerdictBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createPublicRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnonymousRunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["400"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readPublicRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["400"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createBenchRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnonymousRunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["400"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            429: components["responses"]["429-RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readBenchRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["400"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listLanguages: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Language"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Language"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    deleteLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                language_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listPublicEvents: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEvent"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readPublicEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEvent"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEvent"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEvent"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    updateEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readEventByTitle: {
        parameters: {
            query: {
                title: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEvent"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    endEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    registerForEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-ALREADY_REGISTERED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listPublicParticipants: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    addParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-ALREADY_REGISTERED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listEventProblems: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProblem"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    addEventProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventProblemBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedEventProblem"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            409: components["responses"]["409-ALREADY_IN_EVENT"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readEventProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                event_problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEventProblem"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-EVENT_NOT_STARTED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listEventSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                user?: string;
                team?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubmission"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listAttempts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptStat"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listProblemStatuses: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemStatus"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listProblemStats: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemStats"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedTeam"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND-NOT_A_TEAM_EVENT"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTeam"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND-NOT_A_TEAM_EVENT"];
            409: components["responses"]["409-TEAM_NAME_TAKEN-ALREADY_ON_TEAM"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readOwnTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND-NOT_A_TEAM_EVENT"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND-NOT_A_TEAM_EVENT"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    joinTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JoinBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            403: components["responses"]["403-FORBIDDEN"];
            404: components["responses"]["404-NOT_FOUND-NOT_A_TEAM_EVENT"];
            409: components["responses"]["409-ALREADY_ON_TEAM"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    askQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                question_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            404: components["responses"]["404-NOT_FOUND"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    countUnreadNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401-UNAUTHORIZED-MALFORMED_TOKEN-TOKEN_EXPIRED-ACCOUNT_DELETED"];
            413: components["responses"]["413-PAYLOAD_TOO_LARGE"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                        info: Record<string, never>;
                        paths: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["400"];
            500: components["responses"]["500-INTERNAL"];
            503: components["responses"]["503-UNAVAILABLE"];
        };
    };
}
