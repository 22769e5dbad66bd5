<?php

return [
    'failed' => 'Ces identifiants ne correspondent pas à nos enregistrements.',
    'password' => 'Le mot de passe est incorrect.',
    'login' => 'Se connecter',
    'logout' => 'Se déconnecter',
];
